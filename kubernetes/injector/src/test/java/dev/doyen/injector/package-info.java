@NullMarked
package dev.doyen.injector;

import org.jspecify.annotations.NullMarked;
