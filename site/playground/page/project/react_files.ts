import type { FrameworkFiles } from "./project_files.ts";

/** What a project with React has. */
export const REACT_FILES: FrameworkFiles = {
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
