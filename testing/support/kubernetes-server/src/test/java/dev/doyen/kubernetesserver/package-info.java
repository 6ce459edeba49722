/** Tests of the class that starts the API server. */
@NullMarked
package dev.doyen.kubernetesserver;

import org.jspecify.annotations.NullMarked;
