/// <reference lib="dom" />

import type { Place } from "./place.ts";

/** How far one press of an arrow moves the panel or its edge: a part of the window. */
const STEP = 0.05;

/**
 * Puts a panel where its place says. Its grip changes the size of a docked panel, and moves a floating
 * one: with the pointer, and with arrows while it has the focus.
 */
export function dockPanel(
  panel: HTMLElement,
  grip: HTMLElement,
  onMove: (changes: Partial<Place>) => void,
): { update(place: Place): void } {
  let shown: Place | undefined;
  grip.tabIndex = 0;
  grip.addEventListener("keydown", (event) => {
    const [x, y] = ARROWS[event.key] ?? [];
    if (x === undefined || y === undefined || shown === undefined) return;
    event.preventDefault();
    onMove(moved(shown, x * STEP, y * STEP));
  });
  grip.addEventListener("pointerdown", (start) => {
    const from = shown;
    if (from === undefined || start.button !== 0) return;
    start.preventDefault();
    grip.focus();
    grip.setPointerCapture(start.pointerId);
    const move = (event: PointerEvent) => {
      const x = (event.clientX - start.clientX) / innerWidth;
      const y = (event.clientY - start.clientY) / innerHeight;
      onMove(moved(from, x, y));
    };
    grip.addEventListener("pointermove", move);
    grip.addEventListener(
      "lostpointercapture",
      () => grip.removeEventListener("pointermove", move),
      { once: true },
    );
  });
  return {
    update(place) {
      shown = place;
      panel.dataset.dock = place.dock;
      panel.style.setProperty("--size", String(place.size));
      panel.style.setProperty("--x", String(place.x));
      panel.style.setProperty("--y", String(place.y));
      describeGrip(grip, place);
    },
  };
}

/** By how much each arrow moves, to the right and down. */
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function moved({ dock, size, x, y }: Place, right: number, down: number): Partial<Place> {
  if (dock === "float") return { x: x + right, y: y + down };
  return { size: size - (dock === "bottom" ? down : right) };
}

/** A separator that can be focused has a value; what moves a floating panel is a button. */
function describeGrip(grip: HTMLElement, { dock, size }: Place): void {
  const isFloating = dock === "float";
  const attributes: Readonly<Record<string, string | undefined>> = {
    role: isFloating ? "button" : "separator",
    "aria-label": isFloating ? "Move the panel with the arrow keys" : "Size of the panel",
    "aria-orientation": isFloating ? undefined : dock === "bottom" ? "horizontal" : "vertical",
    "aria-valuenow": isFloating ? undefined : String(Math.round(size * 100)),
    "aria-valuemin": isFloating ? undefined : "20",
    "aria-valuemax": isFloating ? undefined : "90",
  };
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) grip.removeAttribute(name);
    else grip.setAttribute(name, value);
  }
}
