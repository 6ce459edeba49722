@NullMarked
package dev.doyen.server.sidecar;

import org.jspecify.annotations.NullMarked;
