import { type Api, api } from "@trestle/api-wrapper";
import axios from "axios";

/** The app's one client: base URL, headers and interceptors belong here. */
export const instance = axios.create({ baseURL: "/api" });

/** Creates the module of one resource. */
export function defineApi(url: string): Api {
  return api(url, instance);
}
