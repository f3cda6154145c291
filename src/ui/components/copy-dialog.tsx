import { Textarea } from '@mantine/core';

/** What could not be copied, selected. */
export function TextToCopy({ text, title, hint }: { text: string; title: string; hint: string }) {
  return (
    <Textarea
      value={text}
      readOnly
      autosize
      minRows={2}
      maxRows={8}
      description={hint}
      aria-label={title}
      data-autofocus
      onFocus={(event) => event.currentTarget.select()}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}
