/** Characters that file systems refuse in names. */
const refused = /[\\/:*?"<>|\p{Cc}]/gu;

/** Saves a file on the reader's computer. What a file name may not contain becomes `-`. */
export function downloadFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(refused, '-');
  link.click();
  // Browsers start to read the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function downloadText(name: string, text: string): void {
  downloadFile(name, new Blob([text], { type: 'text/plain;charset=utf-8' }));
}
