/**
 * Contains a small client for a Kubernetes API server: its address, credentials, requests and watches.
 *
 * <p>The store, the injector, and the build of the container images use this client. The package is internal to Doyen
 * and may change. Start reading at {@link dev.doyen.stores.kubernetes.rest.ApiServer}.
 */
@NullMarked
package dev.doyen.stores.kubernetes.rest;

import org.jspecify.annotations.NullMarked;
