/**
 * The browser's database: files and images are too large for its storage of texts. Deleted at
 * sign-out (browser/local-storage.ts).
 */
import { storageKeys } from '../../browser/local-storage.ts';

const stores = ['files', 'images'] as const;

export const asPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('indexedDB'));
  });

/**
 * Opened for each use, so that a sign-out in another tab is not held up. Throws where the browser
 * forbids it or is full. Entries are found by their `id`.
 */
export async function withBox<T>(
  name: (typeof stores)[number],
  act: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const opening = indexedDB.open(storageKeys.playgroundChats, stores.length);
  opening.onupgradeneeded = () => {
    for (const each of stores)
      if (!opening.result.objectStoreNames.contains(each))
        opening.result.createObjectStore(each, { keyPath: 'id' });
  };
  const database = await asPromise(opening);
  try {
    return await act(database.transaction(name, 'readwrite').objectStore(name));
  } finally {
    database.close();
  }
}
