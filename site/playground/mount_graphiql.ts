import "graphiql/style.css";
import "graphiql/setup-workers/vite";
import { GraphiQL } from "graphiql";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import type { GraphiQLInput, MountGraphiQL } from "./page/graphiql/graphiql_host.ts";

// Monaco rejects what it has cancelled when an editor is closed, and nobody waits for it.
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "Canceled") event.preventDefault();
});

/** Keeps nothing: what is shared is in the address, and the rest ends with the page. */
function createMemoryStorage() {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
  };
}

/** Renders GraphiQL with React, which only this module loads. */
export const mountGraphiQL: MountGraphiQL = (element, input) => {
  const root = createRoot(element);
  let current = input;
  let shown = 0;
  let storage = createMemoryStorage();
  const fetcher = (operation: Parameters<GraphiQLInput["send"]>[0]) => current.send(operation);
  const render = () =>
    root.render(createElement(GraphiQL, {
      key: shown,
      fetcher,
      storage,
      schema: current.schema,
      initialQuery: current.query,
      forcedTheme: current.theme,
      onEditQuery: (query: string) => current.onEdit(query),
      showPersistHeadersSettings: false,
      isHeadersEditorEnabled: false,
    }));
  render();
  return {
    update(next) {
      if (next.query !== current.query) {
        shown++;
        storage = createMemoryStorage();
      }
      current = next;
      render();
    },
    unmount: () => root.unmount(),
  };
};
