export { useAxios } from "@vueuse/integrations/useAxios";
