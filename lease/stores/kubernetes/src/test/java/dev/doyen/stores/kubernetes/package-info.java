/** Tests the store, mostly against a real Kubernetes API server. */
@NullMarked
package dev.doyen.stores.kubernetes;

import org.jspecify.annotations.NullMarked;
