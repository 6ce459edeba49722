/** Leases and fences in Azure Blob Storage: the port of {@code dev.doyen.stores.objects}, carried out by Azure's SDK. */
@NullMarked
package dev.doyen.stores.azureblob;

import org.jspecify.annotations.NullMarked;
