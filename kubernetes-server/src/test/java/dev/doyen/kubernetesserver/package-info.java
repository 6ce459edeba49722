/** Tests of what starts the server. */
@NullMarked
package dev.doyen.kubernetesserver;

import org.jspecify.annotations.NullMarked;
