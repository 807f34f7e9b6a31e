// A long list of rows of one height, of which only the visible ones are in the document.

const SPARE = 6; // rows kept beyond each edge

export class Window {
  /** `list` scrolls; `draw(index)` gives the element of a row; `height` is a row's, in CSS pixels. */
  constructor(list, height, draw) {
    this.list = list;
    this.height = height;
    this.draw = draw;
    this.count = 0;
    this.drawn = new Map();
    this.whole = false; // everything is drawn, for the printer
    this.rows = document.createElement("div");
    this.rows.className = "rows";
    this.rows.setAttribute("role", "presentation");
    list.replaceChildren(this.rows);
    let waiting = false;
    const soon = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => ((waiting = false), this.update()));
    };
    list.addEventListener("scroll", soon, { passive: true });
    new ResizeObserver(soon).observe(list);
  }

  /** Shows a list of `count` rows anew. */
  show(count) {
    this.count = count;
    this.rows.style.height = `${count * this.height}px`;
    this.redraw();
  }

  redraw() {
    for (const element of this.drawn.values()) element.remove();
    this.drawn.clear();
    this.update();
  }

  /** Calls `change(element, index)` for each row that is drawn. */
  each(change) {
    for (const [index, element] of this.drawn) change(element, index);
  }

  /** Draws what came into view and drops what left it. */
  update() {
    const [first, last] = this.range();
    for (const [index, element] of this.drawn) {
      if (index < first || index > last) {
        element.remove();
        this.drawn.delete(index);
      }
    }
    let after = null; // readers of the screen meet the rows in their order
    for (let index = last; index >= first; index--) after = this.drawn.get(index) ?? this.place(index, after);
  }

  range() {
    if (this.whole) return [0, this.count - 1];
    const first = Math.floor(this.list.scrollTop / this.height) - SPARE;
    const last = Math.ceil((this.list.scrollTop + this.list.clientHeight) / this.height) + SPARE;
    return [Math.max(0, first), Math.min(this.count - 1, last)];
  }

  place(index, after) {
    const element = this.draw(index);
    element.style.top = `${index * this.height}px`;
    this.drawn.set(index, element);
    this.rows.insertBefore(element, after);
    return element;
  }

  /** Scrolls until a row can be seen. */
  reveal(index) {
    const top = index * this.height;
    const room = this.list.clientHeight;
    if (top < this.list.scrollTop + this.height) this.list.scrollTop = Math.max(0, top - this.height * 2);
    else if (top + this.height * 2 > this.list.scrollTop + room) this.list.scrollTop = top + this.height * 3 - room;
    this.update();
  }

  /** Draws all rows, or only the visible ones again. */
  printing(yes) {
    this.whole = yes;
    this.update();
  }
}
