@NullMarked
package dev.doyen.sidecar;

import org.jspecify.annotations.NullMarked;
