// Slides: the arrow keys, page keys and space go from one to the next; n shows the speaker's notes.
const slides = [...document.querySelectorAll("section")];
const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") document.body.classList.toggle("notes");
  if (!(event.key in steps)) return;
  event.preventDefault();
  const at = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 2);
  slides[Math.max(0, Math.min(slides.length - 1, at + steps[event.key]))].scrollIntoView();
});
