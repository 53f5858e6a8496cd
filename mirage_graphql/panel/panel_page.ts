/// <reference lib="dom" />

import type { Mock } from "../mock/mock.ts";
import type { FaultKind, Faults } from "./faults.ts";
import type { Recorder } from "./recorder.ts";
import type { MockRecords } from "./records.ts";

/** What is used of a Mirage server. */
export interface PanelServer {
  /** Milliseconds that a response takes. */
  timing: number;
}

/** What the inside of the panel shows. */
export interface PanelSubject {
  readonly mock: Pick<Mock, "reset">;
  readonly server: PanelServer | undefined;
  readonly recorder: Recorder;
  readonly records: MockRecords;
  readonly faults: Faults;
}

/** One of the panel's pages. */
export interface PanelPage {
  readonly title: string;
  readonly element: HTMLElement;
  /** Shows what has changed. */
  update(): void;
  /** How many there are to see; `undefined` if that is not counted. */
  count?(): number;
}

/** What pages can do to the panel. */
export interface PanelFrame {
  /** Says something to whoever looks, and to screen readers. */
  say(text: string): void;
  /** Shows the page of faults with a request to choose for. */
  addFault(kind: FaultKind, name: string): void;
}
