// The chapter on real networks: one slider for the size τ of normal inputs. The best k for them falls
// along a curve, beside marks for what networks were seen to feed their GELUs, and below are the inputs
// of the mark that is nearest in size, with the bell curve of τ over them.
//
// A site is one GELU of a network, with the root mean square `rms` of its inputs, the best k for them,
// and their shares in bins of equal width from −width to width.

"use strict";

function showLaws(root) {
  const {density} = explorerCore;
  const {roundUp, shown} = explorerWords;
  const part = explorerPictures.partsOf(root, "laws");
  const UNIT = 1000; // of k on its axis, where 0.0447 is 44.7
  const TAYLOR = (4 - Math.PI) / (6 * Math.PI); // the k of Taylor's series
  const MARKS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]; // of the sizes
  const SHAPES = ["circle", "square", "diamond"]; // one for each network
  const LEGEND = {x: 5, top: 0.77, step: 0.1}; // its place, the heights as shares of the picture's
  const {sigmas, best, loss, sites, k: printed, crossing} = JSON.parse(part("data").textContent);
  const slider = part("slider");
  const [least, most] = [sigmas[0], sigmas.at(-1)];
  const networks = [...new Set(sites.map(({network}) => network))];
  const ks = [TAYLOR, ...best, ...sites.map(({k}) => k)].map(k => UNIT * k);
  const room = (Math.max(...ks) - Math.min(...ks)) / 12;
  const axis = {low: Math.min(...ks) - room, high: Math.max(...ks) + room, name: "best k, in 10⁻³"};

  // What stands in a list at τ, in which equal steps are equal factors of τ.
  function at(list, sigma) {
    const place = (list.length - 1) * Math.log(sigma / least) / Math.log(most / least);
    const i = Math.min(Math.floor(place), list.length - 2);
    return list[i] + (place - i) * (list[i + 1] - list[i]);
  }

  const distance = (site, sigma) => Math.abs(Math.log(site.rms / sigma));
  const nearest = sigma =>
    sites.reduce((one, other) => (distance(other, sigma) < distance(one, sigma) ? other : one));

  function marked(network, x, y) {
    const i = networks.indexOf(network);
    return {kind: `site n${i}`, shape: SHAPES[i], x, y};
  }

  function drawLine(sigma, site) {
    const heights = networks.map((_, i) =>
      axis.low + (LEGEND.top - LEGEND.step * i) * (axis.high - axis.low));
    const texts = networks.map((text, i) =>
      ({kind: "name", at: [LEGEND.x, heights[i]], side: "beside", text}));
    explorerPictures.draw(part("line"), {
      x: {low: least, high: most, log: true, at: MARKS, name: "size τ of the inputs, root mean square"},
      y: axis,
      curves: [
        {kind: "curve", points: sigmas.map((x, i) => [x, UNIT * best[i]])},
        {kind: "arm below", points: [[least, UNIT * TAYLOR], [most, UNIT * TAYLOR]]},
        {kind: "printed", points: [[least, UNIT * printed], [most, UNIT * printed]]},
      ],
      texts: [
        ...texts,
        {kind: "name", at: [0.5, UNIT * at(best, 0.5)], side: "above", right: 8, text: "normal inputs"},
        {kind: "name end", at: [most, UNIT * TAYLOR], side: "above", text: `Taylor’s ${TAYLOR.toFixed(5)}`},
        {kind: "printed", at: [least, UNIT * printed], right: 6, side: "above", text: String(printed)},
      ],
      marks: [
        ...networks.map((network, i) => marked(network, LEGEND.x, heights[i])),
        ...sites.map(({network, rms, k}) => marked(network, rms, UNIT * k)),
        {kind: "crossing", x: site.rms, y: UNIT * site.k},
        {kind: "peak dot", x: sigma, y: UNIT * at(best, sigma)},
      ],
    });
  }

  // The shares as a density, in stairs, and the bell curve.
  function drawInputs(sigma, {network, site, width, shares}) {
    const bin = 2 * width / shares.length;
    const stairs = shares.flatMap((share, i) => [i, i + 1].map(n => [n * bin - width, share / bin]));
    const bell = x => density(x / sigma) / sigma;
    const high = roundUp(Math.max(bell(0), ...stairs.map(([, height]) => height)));
    const kind = `n${networks.indexOf(network)}`;
    explorerPictures.draw(part("inputs"), {
      x: {low: -width, high: width, name: "input"},
      y: {low: 0, high, name: `density of the inputs: ${network}, ${site}`},
      curves: [
        {kind: `area ${kind}`, points: [[-width, 0], ...stairs, [width, 0]]},
        {kind: "curve", points: explorerPictures.sampled(bell, -width, width, part("inputs").clientWidth)},
      ],
    });
  }

  function render() {
    const sigma = crossing * 10 ** Number(slider.value);
    const site = nearest(sigma);
    drawLine(sigma, site);
    drawInputs(sigma, site);
    const [written, k] = [shown(sigma, 3), at(best, sigma).toFixed(6)];
    const isBest = k === String(printed);
    part("number").textContent = written;
    slider.setAttribute("aria-valuetext", `τ = ${written}`);
    root.classList.toggle("level", isBest);
    part("said").textContent = `For normal inputs of size τ = ${written} the best k is ${k}, and ${printed} `
      + `leaves ${shown(at(loss, sigma), 3)} times the least error. Nearest mark: ${site.network}, `
      + `${site.site}: root mean square ${shown(site.rms, 3)}, best k ${site.k.toFixed(5)}.`;
    part("success").textContent = isBest ? `For normal inputs of this size ${printed} is the best constant.` : "";
  }

  // What waits for a pause: the words for those who do not see the pictures.
  function settle() {
    const said = ["success", "said"].map(name => part(name).textContent).join(" ").trim();
    part("line").setAttribute("aria-label", `The best k against the size of the inputs. ${said}`);
    part("inputs").setAttribute("aria-label", `The inputs of the nearest site and a bell curve. ${said}`);
    part("spoken").textContent = said;
  }

  explorerPictures.live(root, part("line"), render, settle);
}

showLaws(document.getElementById("laws-box"));
