/** The text of the form control that an event is about. */
export function eventValue({ target }: Event): string {
  const isControl = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
  return isControl ? target.value : "";
}

/** Whether the check box that an event is about is checked. */
export function eventChecked({ target }: Event): boolean {
  return target instanceof HTMLInputElement && target.checked;
}
