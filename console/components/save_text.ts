/** Copies a text to the clipboard; resolves with whether it could. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The clipboard of pages that are not served over HTTPS. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

/** Saves a file in the user's download folder. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Shows a text as plain text in a tab that was opened for it; nothing in it is run. */
export function showText(tab: Window | null, content: Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: "text/plain; charset=utf-8" }));
  if (tab !== null) tab.location.href = url;
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
