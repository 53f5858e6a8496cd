export { useApi, useProgress } from "../../options.ts";
