// The boxes of results. What opens has a row of buttons that copy the permanent link, the TeX of the
// statement, the BibTeX, and each number at 10, 20 or 50 digits. The box that the address names opens.
// Each number of the table of constants to paste has a button, too.
//
// A number is copied from the digits on the page, rounded to nearest; of two decimals that are
// equally near, the one with the even last digit. A test holds the rounding to Python's.

"use strict";

const resultNumbers = (() => {
  const LENGTHS = [10, 20, 50];
  const DECIMAL = /^(-?)(\d*)\.(\d+)(?:e([+-]?\d+))?$/;

  // A decimal as sign, significant digits and power of ten of the last one; null of other text.
  function read(text) {
    const found = DECIMAL.exec(text);
    if (!found) return null;
    const [, sign, whole, decimals, exponent = "0"] = found;
    const digits = (whole + decimals).replace(/^0+/, "");
    return {sign, digits, exponent: Number(exponent) - decimals.length};
  }

  // The lengths that a number can be copied at; none of a whole number or a fraction, which is
  // copied as it stands.
  function lengths(text) {
    const number = read(text);
    return number ? LENGTHS.filter(length => length <= number.digits.length) : [];
  }

  // The nearest integer to n/d of two BigInts, ties to even.
  function nearest(n, d) {
    const below = n / d;
    const twice = 2n * (n % d);
    return twice > d || (twice === d && below % 2n === 1n) ? below + 1n : below;
  }

  // A decimal, rounded to a number of significant digits that it has.
  function rounded(text, length) {
    const {sign, digits, exponent} = read(text);
    const surplus = digits.length - length;
    if (surplus === 0) return text;
    const kept = nearest(BigInt(digits), 10n ** BigInt(surplus)).toString();
    const carried = kept.length - length; // 99.96 becomes 100.0, one digit longer
    return sign + written(kept.slice(0, length), exponent + surplus + carried);
  }

  // Digits times a power of ten, without an exponent unless zeros would have to be invented.
  function written(digits, exponent) {
    if (exponent > 0) {
      const power = exponent + digits.length - 1;
      return `${digits[0]}.${digits.slice(1)}e+${power}`;
    }
    const padded = digits.padStart(1 - exponent, "0");
    const point = padded.length + exponent;
    return exponent ? `${padded.slice(0, point)}.${padded.slice(point)}` : padded;
  }

  // Whether a decimal begins with the digits of a shorter one, or is rounded to them.
  function agrees(text, shorter) {
    const [ours, theirs] = [read(text), read(shorter)];
    if (ours?.sign !== theirs?.sign || !theirs) return false;
    const size = ({digits, exponent}) => digits.length + exponent;
    if (Math.abs(size(ours) - size(theirs)) > 1) return false;
    const surplus = theirs.exponent - ours.exponent;
    const n = BigInt(ours.digits) * 10n ** BigInt(Math.max(-surplus, 0));
    const d = 10n ** BigInt(Math.max(surplus, 0));
    return [n / d, nearest(n, d)].includes(BigInt(theirs.digits));
  }

  return {lengths, rounded, agrees};
})();

// ---- The page

const CONSTANTS = "#constants-to-paste td code";

function offerCopies() {
  const note = element("div", "copy-note");
  note.setAttribute("role", "status");
  document.body.append(note);

  function element(name, className, text = "") {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  // The address that the page has for everybody: the public one, where the site has one.
  function permanentLink(id) {
    const page = document.querySelector('link[rel="canonical"]')?.href ?? location.href;
    const root = document.documentElement.dataset.content_root ?? "./";
    return new URL(`${root}results.html#${id}`, page).href;
  }

  // Without a secure context there is no clipboard to write to; an old command still copies what
  // is selected. If that is refused as well, the reader finds the text selected and can copy it.
  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = element("textarea", "", text);
      field.readOnly = true;
      field.setAttribute("aria-label", "Text to copy");
      note.replaceChildren(field);
      field.select();
      return document.execCommand("copy");
    }
  }

  async function copy(button, what, text) {
    if (!(await copied(text))) {
      note.prepend(element("p", "", "The browser does not let the page copy. Copy this text:"));
      return;
    }
    note.replaceChildren(element("p", "", `Copied: ${what}`));
    button.focus();
    clearTimeout(copy.timer);
    copy.timer = setTimeout(() => note.replaceChildren(), 4000);
  }

  // A button that copies what a function returns.
  function button(label, what, text) {
    const made = element("button", "", label);
    made.type = "button";
    made.addEventListener("click", () => copy(made, what, text()));
    return made;
  }

  // The buttons for the digits of a number.
  function numberButtons(digits, name) {
    const text = digits.textContent;
    const lengths = resultNumbers.lengths(text);
    if (!lengths.length) return [button("number", `${name}, ${text}`, () => text)];
    return lengths.map(length => {
      const rounded = () => resultNumbers.rounded(text, length);
      return button(`${length} digits`, `${name}, ${length} digits`, rounded);
    });
  }

  function group(label, ...buttons) {
    const made = element("div", "result-tools");
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", `Copy ${label}`);
    made.append(element("span", "", "Copy"), ...buttons);
    return made;
  }

  // The row of buttons of a box, and those of each number if it has a table of them.
  function offer(box, fold) {
    const tex = box.querySelector("annotation");
    const bibtex = box.querySelector(".bibtex code");
    const rows = [...fold.querySelectorAll("tbody tr")];
    const digits = rows.length ? null : fold.querySelector(".exact");
    const buttons = [button("link", `link to ${box.id}`, () => permanentLink(box.id))];
    if (tex) buttons.push(button("TeX", `TeX of ${box.id}`, () => tex.textContent.trim()));
    if (bibtex) buttons.push(button("BibTeX", `BibTeX of ${box.id}`, () => bibtex.textContent));
    if (digits) buttons.push(...numberButtons(digits, box.id));
    fold.firstElementChild.after(group(box.id, ...buttons));
    for (const row of rows) {
      const name = row.cells[0].textContent.trim();
      row.cells[1].append(group(name, ...numberButtons(row.querySelector(".exact"), name)));
    }
  }

  for (const constant of document.querySelectorAll(CONSTANTS)) {
    const text = constant.textContent;
    const made = button("", text, () => text);
    made.className = "constant-copy";
    made.setAttribute("aria-label", `Copy ${text}`);
    constant.after(made);
  }
  for (const box of document.querySelectorAll(".result-box")) {
    const fold = box.querySelector("details");
    fold.addEventListener("toggle", () => offer(box, fold), {once: true});
  }
}

// Open the box that the address names, and what it is folded into.
function openNamed() {
  const box = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!box?.matches(".result-box")) return;
  const folds = [box.querySelector("details")];
  for (let fold = box; (fold = fold.parentElement?.closest("details")); ) folds.push(fold);
  const moved = folds.slice(1).some(fold => !fold.open);
  for (const fold of folds) fold.open = true;
  if (moved) box.scrollIntoView();
}

if (typeof document !== "undefined") {
  offerCopies();
  openNamed();
  window.addEventListener("hashchange", openNamed);
}
