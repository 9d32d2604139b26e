// Slides: the arrow keys, page keys and space go from one to the next; n shows the speaker's notes.
const slides = [...document.querySelectorAll("section")];
const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };

/** Makes the code of each slide as large as the slide allows, up to three times its size, and as small as it has to be. */
function fit() {
  for (const slide of slides) {
    const blocks = [...slide.querySelectorAll("pre")];
    const fits = () => slide.scrollHeight <= innerHeight + 1 && blocks.every((each) => each.scrollWidth <= each.clientWidth + 1);
    let [low, high] = [0.5, 3];
    for (let i = 0; blocks.length && i < 7; i++) {
      const middle = (low + high) / 2;
      slide.style.setProperty("--fit", middle);
      if (fits()) low = middle;
      else high = middle;
    }
    slide.style.setProperty("--fit", low);
  }
}

fit();
addEventListener("resize", fit);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") document.body.classList.toggle("notes");
  if (!(event.key in steps)) return;
  event.preventDefault();
  const at = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 2);
  slides[Math.max(0, Math.min(slides.length - 1, at + steps[event.key]))].scrollIntoView();
});
