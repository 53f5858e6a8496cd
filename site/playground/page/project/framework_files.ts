/** The framework of a copied project. */
export type Framework = "vue" | "react";

/** What differs between the frameworks. */
export interface FrameworkFiles {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** The file that starts the app, and its text. */
  readonly main: readonly [path: string, text: string];
  readonly files: Readonly<Record<string, string>>;
}

/** What a project with Vue has. */
const VUE_FILES: FrameworkFiles = {
  dependencies: { vue: "^3.5.45" },
  devDependencies: { "@vitejs/plugin-vue": "~6.0.11", vite: "~8.3.8" },
  main: [
    "src/main.js",
    `import { createApp } from "vue";
import App from "./App.vue";

if (import.meta.env.DEV) await import("./mocks/mock.js");

createApp(App).mount("#app");
`,
  ],
  files: {
    "vite.config.js": `import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [vue()] });
`,
    "src/App.vue": `<script setup>
import { onMounted, ref } from "vue";
import { fetchGraphQL } from "./fetch_graphql.js";

const data = ref();
const error = ref();

onMounted(() => fetchGraphQL().then((value) => data.value = value, (cause) => error.value = cause));
</script>

<template>
  <main>
    <h1>Mock app</h1>
    <p v-if="error" role="alert">{{ error.message }}</p>
    <p v-else-if="!data">Loading …</p>
    <pre v-else>{{ JSON.stringify(data, null, 2) }}</pre>
  </main>
</template>
`,
  },
};

/** What a project with React has. */
const REACT_FILES: FrameworkFiles = {
  dependencies: { react: "^19.2.0", "react-dom": "^19.2.0" },
  devDependencies: { "@vitejs/plugin-react": "^6.0.0", vite: "~8.3.8" },
  main: [
    "src/main.jsx",
    `import { createRoot } from "react-dom/client";
import App from "./App.jsx";

if (import.meta.env.DEV) await import("./mocks/mock.js");

createRoot(document.getElementById("app")).render(<App />);
`,
  ],
  files: {
    "vite.config.js": `import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [react()] });
`,
    "src/App.jsx": `import { useEffect, useState } from "react";
import { fetchGraphQL } from "./fetch_graphql.js";

export default function App() {
  const [data, setData] = useState();
  const [error, setError] = useState();
  useEffect(() => {
    fetchGraphQL().then(setData, setError);
  }, []);
  return (
    <main>
      <h1>Mock app</h1>
      {error ? <p role="alert">{error.message}</p> : null}
      {data ? <pre>{JSON.stringify(data, null, 2)}</pre> : error ? null : <p>Loading …</p>}
    </main>
  );
}
`,
  },
};

/** The files of each framework. */
export const FRAMEWORKS: Readonly<Record<Framework, FrameworkFiles>> = {
  vue: VUE_FILES,
  react: REACT_FILES,
};
