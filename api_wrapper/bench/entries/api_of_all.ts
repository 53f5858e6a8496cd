export { api } from "../../mod.ts";
