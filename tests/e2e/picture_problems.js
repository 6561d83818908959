// What can't be read in the pictures of a page, each in a <figure> twice: as <svg>, and as <img>, which is how forges
// show it. The findings come into the page as JSON.

const CONTRAST = 4.5; // https://www.w3.org/TR/WCAG22/#contrast-minimum
const SCALE = 4; // Strokes of letters are then wider than a pixel.
const ROUNDED = 0.5;

const channels = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);

function luminance(colour) {
  // https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const within = (inner, outer) =>
  inner.left >= outer.left - ROUNDED && inner.right <= outer.right + ROUNDED &&
  inner.top >= outer.top - ROUNDED && inner.bottom <= outer.bottom + ROUNDED;

const overlap = (one, other) =>
  one.left < other.right - ROUNDED && other.left < one.right - ROUNDED &&
  one.top < other.bottom - ROUNDED && other.top < one.bottom - ROUNDED;

// The colour that most of a part of the image has, and the one that is farthest from it.
function colours(image, box, frame) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(box.width * SCALE);
  canvas.height = Math.ceil(box.height * SCALE);
  const context = canvas.getContext("2d");
  context.scale(SCALE, SCALE);
  context.drawImage(image, frame.left - box.left, frame.top - box.top, frame.width, frame.height);
  const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
  const counts = new Map();
  for (let place = 0; place < data.length; place += 4) {
    const colour = data.slice(place, place + 3).join();
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const behind = channels([...counts].sort((a, b) => b[1] - a[1])[0][0]);
  const most = Math.max(...[...counts.keys()].map((colour) => contrast(channels(colour), behind)));
  return { behind, most };
}

function problems(figure) {
  const found = [];
  const svg = figure.querySelector("svg"), image = figure.querySelector("img");
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map((text) => ({ text, box: text.getBoundingClientRect() }));
  for (const shape of svg.querySelectorAll("text, rect, path")) {
    if (!within(shape.getBoundingClientRect(), frame)) found.push(`outside of the picture: ${shape.outerHTML}`);
  }
  texts.forEach(({ text, box }, place) => {
    const rect = text.parentNode.querySelector(":scope > rect");
    if (rect && !within(box, rect.getBoundingClientRect())) found.push(`outside of its box: ${text.textContent}`);
    for (const other of texts.slice(place + 1)) {
      if (overlap(box, other.box)) found.push(`over each other: ${text.textContent}, ${other.text.textContent}`);
    }
    const style = getComputedStyle(text);
    const behind = rect ? getComputedStyle(rect).fill : getComputedStyle(svg).backgroundColor;
    if (contrast(channels(style.fill), channels(behind)) < CONTRAST) found.push(`hard to read: ${text.textContent}`);
    if (colours(image, box, frame).most < CONTRAST) found.push(`hard to read in the image: ${text.textContent}`);
  });
  const size = [image.naturalWidth, image.naturalHeight];
  if (String(size) !== String([frame.width, frame.height])) found.push(`the image has another size: ${size}`);
  const corner = { left: frame.left, top: frame.top, width: 2, height: 2 };
  return { problems: found, texts: texts.length, background: luminance(colours(image, corner, frame).behind) };
}

window.onload = () => {
  const found = [...document.querySelectorAll("figure")].map((figure) => [figure.id, problems(figure)]);
  document.getElementById("found").textContent = JSON.stringify(Object.fromEntries(found));
};
