/**
 * How this house talks to a Kubernetes API server: where it is, who one is to it, requests and watches. The store stands on
 * it, the injector, and what builds their images; it is nobody else's, and may change. Entry type: {@link dev.doyen.stores.kubernetes.rest.ApiServer}.
 */
@NullMarked
package dev.doyen.stores.kubernetes.rest;

import org.jspecify.annotations.NullMarked;
