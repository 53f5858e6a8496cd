// @ts-check
import { api } from "@trestle/api-wrapper";
import axios from "axios";

/** The app's one client: base URL, headers and interceptors stand here. */
export const instance = axios.create({ baseURL: "/api" });

/**
 * Makes the module of one resource.
 *
 * @param {string} url
 */
export const defineApi = (url) => api(url, instance);
