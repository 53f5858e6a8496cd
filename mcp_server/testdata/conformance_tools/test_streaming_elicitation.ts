export { default } from "./test_tool_with_progress.ts";
