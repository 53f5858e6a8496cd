/// <reference lib="dom" />

/** Where a panel is, and what it shows: what it remembers in the browser. */
export interface Place {
  readonly isOpen: boolean;
  readonly dock: Dock;
  /** Which of its pages is shown. */
  readonly tab: string;
  /** Part of the window that a docked panel takes, from 0.2 to 0.9. */
  readonly size: number;
  /** Where a floating panel is: parts of the window from its left and its top, from 0 to 0.9. */
  readonly x: number;
  readonly y: number;
}

/** The sides of the window that a panel can be at; `float` is at none. */
export const DOCKS = ["bottom", "right", "float"] as const;

/** A side of the window. */
export type Dock = typeof DOCKS[number];

const KEY = "trestle-mock-panel";

const FIRST: Place = {
  isOpen: false,
  dock: "bottom",
  tab: "Requests",
  size: 0.45,
  x: 0.5,
  y: 0.1,
};

/** The place that the browser remembers; what it lacks is as at first. */
export function readPlace(): Place {
  return parsePlace(stored());
}

/** Reads a remembered place, whatever other code has made of it. */
export function parsePlace(text: string | null): Place {
  const known = parsed(text);
  const dock = DOCKS.find((one) => one === known.get("dock")) ?? FIRST.dock;
  const tab = known.get("tab");
  return {
    isOpen: known.get("isOpen") === true,
    dock,
    tab: typeof tab === "string" ? tab : FIRST.tab,
    size: within(known.get("size"), 0.2, 0.9, FIRST.size),
    x: within(known.get("x"), 0, 0.9, FIRST.x),
    y: within(known.get("y"), 0, 0.9, FIRST.y),
  };
}

/** Remembers a part of the place. A browser that keeps nothing is not an error. */
export function writePlace(changes: Partial<Place>): Place {
  const place = parsePlace(JSON.stringify({ ...readPlace(), ...changes }));
  try {
    localStorage.setItem(KEY, JSON.stringify(place));
  } catch {
    // full, or not allowed: the panel works without
  }
  return place;
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function parsed(text: string | null): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(Object(JSON.parse(text ?? "{}"))));
  } catch {
    return new Map();
  }
}

function within(value: unknown, least: number, most: number, first: number): number {
  if (typeof value !== "number" || Number.isNaN(value)) return first;
  return Math.min(most, Math.max(least, value));
}
