// @ts-check
import { api } from "@trestle/api-wrapper";
import axios from "axios";

/** The app's one client: base URL, headers and interceptors belong here. */
export const instance = axios.create({ baseURL: "/api" });

/**
 * Creates the module of one resource.
 *
 * @param {string} url
 */
export const defineApi = (url) => api(url, instance);
