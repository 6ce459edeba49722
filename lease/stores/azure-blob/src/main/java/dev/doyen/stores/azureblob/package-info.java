/**
 * Stores leases and fences in Azure Blob Storage, through Azure's SDK.
 *
 * <p>This package sends the requests to the service. The package {@code dev.doyen.stores.objects} decides what a store
 * and a fence do.
 */
@NullMarked
package dev.doyen.stores.azureblob;

import org.jspecify.annotations.NullMarked;
