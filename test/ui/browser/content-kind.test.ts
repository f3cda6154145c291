/** What sanitises needs a real browser: test/e2e/site-content.long.test.ts. */
import { describe, expect, it, test } from 'vitest';
import { contentKind, frameSandbox } from '../../../src/ui/browser/content-kind.ts';

describe('what a text of the site is', () => {
  test.each([
    ['', 'empty'],
    ['  \n', 'empty'],
    ['https://docs.example/start?a=1#b', 'address'],
    [' http://docs.example \n', 'address'],
    ['javascript:alert(1)', 'text'],
    ['data:text/html,<script>alert(1)</script>', 'text'],
    ['https://a.example and more', 'text'],
    ['# Title', 'text'],
    ['<div>x</div>', 'text'],
    ['<!DOCTYPE html><p>x', 'document'],
    ['<html lang="en"><body>x', 'document'],
    ['<style>b{color:red}</style><b>x</b>', 'document'],
  ])('%j: %s', (text, kind) => {
    expect(contentKind(text)).toBe(kind);
  });
});

it('a framed page of this site has no access to it', () => {
  expect(frameSandbox('https://docs.example/a', 'https://site.example')).toContain(
    'allow-same-origin',
  );
  expect(frameSandbox('https://site.example/a', 'https://site.example')).not.toContain(
    'allow-same-origin',
  );
  expect(frameSandbox('https://docs.example/a', 'https://site.example')).not.toContain(
    'allow-top-navigation',
  );
});
