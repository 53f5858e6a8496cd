import type { FrameworkFiles } from "./project_files.ts";

/** What a project with Vue has. */
export const VUE_FILES: FrameworkFiles = {
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
