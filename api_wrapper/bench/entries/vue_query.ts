export { useQuery, VueQueryPlugin } from "@tanstack/vue-query";
