/**
 * Stands for parts of zip.js that the page has no use for (vite.config.ts). An encrypted entry is
 * refused before any of this would be asked for.
 */
class Refused {
  constructor() {
    throw new Error('encrypted entries are not read');
  }
}

export {
  Refused as AESDecryptionStream,
  Refused as AESEncryptionStream,
  Refused as ZipCryptoDecryptionStream,
  Refused as ZipCryptoEncryptionStream,
};
