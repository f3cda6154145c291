/** A vector as numbers: a list, or base64 of little-endian 32-bit floats. */
export function toFloats(vector: readonly number[] | string): readonly number[] {
  if (typeof vector !== 'string') return vector;
  const bytes = Buffer.from(vector, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, position) =>
    bytes.readFloatLE(position * 4),
  );
}
