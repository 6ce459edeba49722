/**
 * Leases and fences in Azure Blob Storage, through Azure's SDK.
 *
 * <p>It implements the port of {@code dev.doyen.stores.objects}, which makes the decisions.
 */
@NullMarked
package dev.doyen.stores.azureblob;

import org.jspecify.annotations.NullMarked;
