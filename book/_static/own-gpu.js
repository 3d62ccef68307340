// A button that has the reader's own GPU compute kernels at every number of a type of 16 bits.
//
// The GPU gives float32, in its bits. They are rounded here to the type, once, and compared with the
// two numbers of the type next to the exact value. These two, and the kernels in WGSL, are computed
// by the library when the site is built: own-gpu-data.js sets OWN_GPU. Nothing leaves the page.
//
// The place of a number among those of its type is k for the k-th positive one, −k for its negative.

"use strict";

const ownGpu = (() => {
  const GROUP = 64; // invocations of a workgroup
  const MAIN = name => `
@group(0) @binding(0) var<storage, read> inputs: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(${GROUP})
fn main(@builtin(global_invocation_id) at: vec3u) {
  if (at.x < arrayLength(&inputs)) {
    results[at.x] = bitcast<u32>(${name}(bitcast<f32>(inputs[at.x])));
  }
}
`;

  // ---- Numbers of a type {digits, least, last}: the binary digits behind the point, the exponent of
  // the smallest normal number, and the place of the greatest

  const bitsOf = value => new Uint32Array(new Float32Array([value]).buffer)[0];
  const floatOf = bits => new Float32Array(new Uint32Array([bits]).buffer)[0];

  const valueAt = (place, {digits, least}) =>
    Math.sign(place) * floatOf(Math.abs(place) << (23 - digits)) * 2 ** (least + 126);

  // The places of all numbers but 0, in order.
  const places = ({last}) =>
    [...Array(2 * last + 1).keys()].map(i => i - last).filter(place => place);

  // The place of the number of a type next to a float32, ties to even; NaN for no number.
  function placeOf(bits, {digits, least}) {
    const [exponent, fraction] = [(bits >>> 23) & 255, bits & 0x7fffff];
    if (exponent === 255 && fraction) return NaN;
    const binade = Math.max(exponent, 1) - 127;
    const dropped = 23 - digits + Math.max(least - binade, 0);
    const units = (exponent ? fraction + 0x800000 : fraction) / 2 ** dropped;
    const size = Math.max(binade - least, 0) * 2 ** digits + nearestEven(units);
    return bits >>> 31 ? -size : size;
  }

  function nearestEven(number) {
    const [below, rest] = [Math.floor(number), number % 1];
    return rest > 0.5 || (rest === 0.5 && below % 2) ? below + 1 : below;
  }

  // ---- What is allowed, and what came

  // Numbers from the first one, then a difference and how often it follows, again and again.
  function unpacked([first, ...steps]) {
    const found = [first];
    for (let i = 0; i < steps.length; i += 2)
      for (let n = 0; n < steps[i + 1]; n++) found.push(found.at(-1) + steps[i]);
    return found;
  }

  // The inputs at which a result is neither of the two numbers next to the exact value, as runs
  // [first, last] of their indices: those that flushing to 0 loses, and the others.
  function judged(results, type, lost) {
    const below = unpacked(type.below);
    const flushed = [];
    const wrong = [];
    let faithful = 0;
    for (const [i, bits] of results.entries()) {
      const place = placeOf(bits, type);
      if (place === below[i] || place === below[i] + 1) faithful += 1;
      else extend(lost.some(([first, last]) => first <= i && i <= last) ? flushed : wrong, i);
    }
    return {faithful, flushed, wrong};
  }

  function extend(runs, index) {
    if (runs.at(-1)?.[1] === index - 1) runs.at(-1)[1] = index;
    else runs.push([index, index]);
  }

  // ---- The words

  const MOST = 4; // runs that are named
  const counted = number => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  const total = runs => runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);

  function written(value) {
    const size = Math.abs(value);
    const exponent = Math.floor(Math.log2(size));
    const text = size > 1e-3 && size < 1e5 ? String(size) : power(size / 2 ** exponent, exponent);
    return (value < 0 ? "−" : "") + text;
  }

  function power(factor, exponent) {
    const raised = String(exponent).replace("-", "⁻").replace(/\d/g, digit => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
    return (factor === 1 ? "" : `${factor}·`) + `2${raised}`;
  }

  function named(runs, type) {
    const inputs = places(type);
    const at = index => written(valueAt(inputs[index], type));
    const texts = runs.slice(0, MOST).map(([first, last]) =>
      (first === last ? at(first) : `${at(first)} to ${at(last)} (${counted(last - first + 1)} inputs)`));
    const left = total(runs.slice(MOST));
    return `x = ${texts.join(", ")}${left ? ` and ${counted(left)} more` : ""}`;
  }

  function sentences({faithful, flushed, wrong}, type) {
    const [lost, others] = [total(flushed), total(wrong)];
    const said = [`${counted(faithful)} of ${counted(faithful + lost + others)} faithful.`];
    if (lost) said.push(`${counted(lost)} lost where flushing can explain it: ${named(flushed, type)}.`);
    if (others) said.push(`${counted(others)} lost where flushing cannot explain it: ${named(wrong, type)}.`);
    return said.join(" ");
  }

  // "google swiftshader", if the browser tells, and whether it is a program that stands in for a GPU.
  function described({info = {}, isFallbackAdapter}) {
    const name = [info.vendor, info.architecture].filter(Boolean).join(" ");
    const stands = info.isFallbackAdapter ?? isFallbackAdapter;
    return (name || "its name is not told") + (stands ? ", a program that stands in for a GPU" : "");
  }

  // ---- The GPU

  async function device() {
    const adapter = await navigator.gpu?.requestAdapter();
    if (!adapter) throw Error("this browser offers no GPU to its pages.");
    return {name: described(adapter), gpu: await adapter.requestDevice()};
  }

  // The bits of what a kernel {name, text} gives at numbers that are given by their bits.
  async function computed(gpu, {name, text}, bits) {
    gpu.pushErrorScope("validation");
    const module = gpu.createShaderModule({code: text + MAIN(name)});
    const {messages} = await module.getCompilationInfo();
    const refused = messages.find(({type}) => type === "error");
    if (refused) throw Error(refused.message);
    const compute = {module, entryPoint: "main"};
    const pipeline = await gpu.createComputePipelineAsync({layout: "auto", compute});
    const {STORAGE, COPY_DST, COPY_SRC, MAP_READ} = GPUBufferUsage;
    const [inputs, results, copy] = [STORAGE | COPY_DST, STORAGE | COPY_SRC, MAP_READ | COPY_DST]
      .map(usage => gpu.createBuffer({size: bits.byteLength, usage}));
    gpu.queue.writeBuffer(inputs, 0, bits);
    const entries = [inputs, results].map((buffer, binding) => ({binding, resource: {buffer}}));
    const encoder = gpu.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, gpu.createBindGroup({layout: pipeline.getBindGroupLayout(0), entries}));
    pass.dispatchWorkgroups(Math.ceil(bits.length / GROUP));
    pass.end();
    encoder.copyBufferToBuffer(results, 0, copy, 0, bits.byteLength);
    gpu.queue.submit([encoder.finish()]);
    const fault = await gpu.popErrorScope();
    if (fault) throw Error(fault.message);
    await copy.mapAsync(GPUMapMode.READ);
    return new Uint32Array(copy.getMappedRange().slice());
  }

  const inputsOf = type => Uint32Array.from(places(type), place => bitsOf(valueAt(place, type)));

  // What is said of each kernel on this GPU, and of the GPU.
  async function checked({types, kernels}) {
    const {name, gpu} = await device();
    const rows = [];
    try {
      for (const kernel of kernels) {
        const type = types[kernel.type];
        const results = await computed(gpu, kernel, inputsOf(type));
        rows.push({id: kernel.id, said: sentences(judged(results, type, kernel.lost), type)});
      }
    } finally {
      gpu.destroy();
    }
    return {name, rows};
  }

  return {checked, computed, device, inputsOf, judged, placeOf, places, sentences, unpacked, valueAt};
})();

function showOwnGpu(box) {
  const [button, said] = ["button", "[role=status]"].map(part => box.querySelector(part));
  let running = false;

  async function run() {
    if (running) return;
    running = true;
    said.textContent = "It computes …";
    try {
      const {name, rows} = await ownGpu.checked(OWN_GPU);
      said.replaceChildren(paragraph(`Your GPU (${name}):`), ...rows.map(({id, said: text}) =>
        paragraph(` ${text}`, id)));
    } catch (error) {
      said.textContent = `It could not be done: ${error.message}`;
    }
    running = false;
  }

  function paragraph(text, id = "") {
    const made = document.createElement("p");
    if (id) made.append(Object.assign(document.createElement("b"), {textContent: `${id}:`}));
    made.append(text);
    return made;
  }

  button.addEventListener("click", run);
  if (!navigator.gpu) {
    button.hidden = true;
    said.textContent = "WebGPU is missing here: it takes a browser that has it, and an https address.";
  }
}

{
  const box = globalThis.document?.getElementById("own-gpu-box");
  if (box) showOwnGpu(box);
}
