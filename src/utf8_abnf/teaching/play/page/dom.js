// Making elements: h for HTML, s for SVG. Attributes that are null or false are left out; functions are listeners.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Replaces the content of an element; a control that had the focus keeps it if the new content has its data-key. */
export function show(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (key) [...element.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key)?.focus();
}

const MARGIN = 32;

/** Scrolls the box in *element*, and nothing else, until the element marked as current is visible. */
export function reveal(element) {
  const mark = element.querySelector(".now, .wrong") ?? element.querySelector(".here");
  const box = mark?.closest(".drawing, pre, .treebox");
  if (!box) return;
  const [inner, outer] = [mark.getBoundingClientRect(), box.getBoundingClientRect()];
  box.scrollLeft += Math.max(0, inner.right + MARGIN - outer.right) || Math.min(0, inner.left - MARGIN - outer.left);
  box.scrollTop += Math.max(0, inner.bottom + MARGIN - outer.bottom) || Math.min(0, inner.top - MARGIN - outer.top);
}
