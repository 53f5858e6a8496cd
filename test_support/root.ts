import { fileURLToPath } from "node:url";

/** The repository's folder, without a slash at its end. */
export const ROOT: string = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
