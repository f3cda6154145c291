import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

/** Keys violet, strings green (docs/rules/console.md#forms). */
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--tp-vio-text)' },
  { tag: tags.string, color: 'var(--tp-ok-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--tp-blu-text)' },
]);

const look = EditorView.theme({
  '&': {
    fontSize: '12.5px',
    backgroundColor: 'transparent',
    color: 'var(--tp-ink)',
    maxHeight: '260px',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '20px' },
  '.cm-content': { padding: '10px 0', minHeight: '44px', caretColor: 'var(--tp-ink)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    border: '0',
    color: 'var(--tp-dim)',
    paddingLeft: '8px',
  },
  '.cm-cursor': { borderLeftColor: 'var(--tp-ink)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--tp-raised)',
    borderColor: 'var(--tp-rule)',
    color: 'var(--tp-ink)',
  },
});

const parse = jsonParseLinter();

export interface JsonEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Id of the field's label. */
  readonly labelledBy: string;
  /** Where the cursor stands at first; undefined: the editor does not take the focus. */
  readonly caret: number | undefined;
}

export function JsonEditor({ value, onChange, labelledBy, caret }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const tell = useRef(onChange);
  const first = useRef({ value, caret });
  useEffect(() => {
    tell.current = onChange;
  }, [onChange]);
  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current.value,
        extensions: [
          lineNumbers(),
          history(),
          // Tab leaves the field: nobody is trapped in it.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          json(),
          syntaxHighlighting(colours),
          lintGutter(),
          linter((editorView) =>
            editorView.state.doc.toString().trim() === '' ? [] : parse(editorView),
          ),
          look,
          EditorView.lineWrapping,
          // Stated for accessibility checks: a region that scrolls must hold something in the tab
          // order.
          EditorView.contentAttributes.of({ 'aria-labelledby': labelledBy, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) tell.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    const { caret: anchor } = first.current;
    if (anchor !== undefined) {
      editor.dispatch({
        selection: { anchor: Math.min(anchor, editor.state.doc.length) },
        scrollIntoView: true,
      });
      editor.focus();
    }
    return () => editor.destroy();
  }, [labelledBy]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={place} />;
}
