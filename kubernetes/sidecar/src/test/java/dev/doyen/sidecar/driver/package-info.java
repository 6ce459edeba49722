@NullMarked
package dev.doyen.sidecar.driver;

import org.jspecify.annotations.NullMarked;
