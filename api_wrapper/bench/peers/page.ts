import { createApp } from "vue";
import { createStubInstance } from "../stub_instance.ts";
import { BEHAVIORS, tryBehavior } from "./behaviors.ts";
import { createLibraries, type Used } from "./libraries.ts";

/** What the benchmark calls in the page; libraries have numbers, in the order of the tables. */
export interface BenchPage {
  names(): string[];
  /** Whether each library has each behavior: a row for each behavior, which begins with its text. */
  behaviors(): Promise<[what: string, ...holds: boolean[]][]>;
  /** Mounts a component with a library; its requests are answered at once. */
  mount(library: number): void;
  /** Sends calls one after the other, each for another id. */
  call(calls: number): Promise<void>;
  unmount(): void;
}

const libraries = createLibraries();
const instance = createStubInstance();
let used: Used | undefined;
let unmount = () => {};
let id = 0;

const bench: BenchPage = {
  names: () => libraries.map(({ name }) => name),
  behaviors: async () => {
    const rows: [string, ...boolean[]][] = [];
    for (const behavior of BEHAVIORS) {
      const cells = [];
      for (const library of createLibraries()) cells.push(await tryBehavior(behavior, library));
      rows.push([behavior.what, ...cells]);
    }
    return rows;
  },
  mount: (at) => {
    const app = createApp({
      setup: () => {
        used = libraries[at]?.use(instance);
        return () => null;
      },
    });
    app.mount("#app");
    unmount = () => app.unmount();
  },
  call: async (calls) => {
    for (let left = calls; left > 0; left--) await used?.call(++id);
  },
  unmount: () => unmount(),
};

Object.assign(globalThis, { bench });
