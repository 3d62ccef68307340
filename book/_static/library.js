// Each wing of the library has a page of its own. The names stood on one page before, and their old
// addresses, as library.html#gelu_lib.floats.ulp, lead on.
"use strict";
{
  const wing = /^#gelu_lib\.(\w+)/.exec(location.hash)?.[1];
  const link = wing && document.querySelector(`a[href="library/${wing}.html"]`);
  if (link) location.replace(link.href + location.hash);
}
