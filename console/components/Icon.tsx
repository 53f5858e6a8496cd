import type { VNode } from "vue";

/** Paths of 16 by 16 units, drawn with a line. */
const PATHS = {
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  play: "M5 3.5v9l7-4.5z",
  stop: "M4.5 4.5h7v7h-7z",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  download: "M8 2.5v7.5M4.8 7.2L8 10.4l3.2-3.2M3 13.5h10",
  clock: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 5v3.2l2 1.3",
  down: "M8 3v9M4.5 8.5L8 12l3.5-3.5",
  up: "M8 13V4M4.5 7.5L8 4l3.5 3.5",
  back: "M13 8H4M7.5 4.5L4 8l3.5 3.5",
  sun:
    "M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  moon: "M12.8 9.6A5.3 5.3 0 0 1 6.4 3.2a5.3 5.3 0 1 0 6.4 6.4z",
  auto: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  overview: "M2.5 8L8 3l5.5 5M4.5 7v6h7V7",
  tools: "M3 4.5h10M3 8h10M3 11.5h6",
  calls: "M2.5 5h8M8 2.5L10.5 5 8 7.5M13.5 11h-8M8 8.5L5.5 11 8 13.5",
  approvals: "M3 8.5l3.2 3.2L13 4.8",
  jobs: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 5v3.2l2 1.3",
  servers: "M3 3h10v4H3zM3 9h10v4H3zM5 5h.01M5 11h.01",
  health: "M2 8.5h3L6.5 4l3 8L11 8.5h3",
  access: "M5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2M4 7.5h8v6H4z",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon beside a text; readers of the page leave it out. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
