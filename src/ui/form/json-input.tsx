/**
 * The text of a JSON field: a text area, until the code editor that its focus loads takes its
 * place.
 */
import { type ComponentType, useEffect, useRef, useState } from 'react';
import type { JsonEditorProps } from './json-editor.tsx';
import classes from './json-field.module.css';

interface JsonInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Id of the field's label. */
  readonly labelledBy: string;
}

/** Kept for all fields, so that only the first one waits. */
let loaded: ComponentType<JsonEditorProps> | undefined;

/** Rows shown by a browser that cannot size the area by its content. */
const mostRows = 12;

export function JsonInput({ value, onChange, labelledBy }: JsonInputProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const isPressed = useRef(false);
  const caret = useRef<number>(undefined);
  const [isEditing, setEditing] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  // A click ends with the caret in its place; until then the area must stay.
  const begin = () => {
    if (isPressed.current) return;
    const show = () => {
      const element = area.current;
      if (element !== null && element === document.activeElement)
        caret.current = element.selectionStart;
      setEditing(true);
    };
    if (loaded !== undefined) show();
    else {
      import('./json-editor.tsx').then(({ JsonEditor }) => {
        loaded = JsonEditor;
        show();
      }, setFailure);
    }
  };
  // A press that ends outside of the area is no click on it.
  useEffect(() => {
    const release = () => {
      isPressed.current = false;
    };
    window.addEventListener('pointerup', release);
    return () => window.removeEventListener('pointerup', release);
  }, []);
  // The screen's error boundary offers to load again.
  if (failure !== undefined) throw failure;
  const Editor = isEditing ? loaded : undefined;
  if (Editor !== undefined)
    return <Editor {...{ value, onChange, labelledBy }} caret={caret.current} />;
  return (
    <textarea
      ref={area}
      className={classes.text}
      aria-labelledby={labelledBy}
      spellCheck={false}
      rows={Math.min(mostRows, Math.max(2, value.split('\n').length))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onPointerDown={() => {
        isPressed.current = true;
      }}
      onFocus={begin}
      onClick={begin}
    />
  );
}
