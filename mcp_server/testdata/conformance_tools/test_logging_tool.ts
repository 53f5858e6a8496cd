export { default } from "./test_tool_with_logging.ts";
