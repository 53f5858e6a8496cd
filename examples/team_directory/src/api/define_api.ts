import { type Api, api } from "@trestle/api-wrapper";
import axios, { isAxiosError } from "axios";

/** The app's one client: base URL, headers and interceptors belong here. */
export const instance = axios.create({ baseURL: "/api", adapter: "fetch" });

instance.interceptors.response.use(undefined, (error) => {
  const message = isAxiosError(error) ? error.response?.data?.message : undefined;
  if (typeof message === "string") error.message = message;
  return Promise.reject(error);
});

/** Creates the module of one resource. */
export function defineApi(url: string): Api {
  return api(url, instance);
}
