@NullMarked
package dev.doyen.micrometer;

import org.jspecify.annotations.NullMarked;
