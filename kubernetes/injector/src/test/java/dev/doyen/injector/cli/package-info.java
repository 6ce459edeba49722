@NullMarked
package dev.doyen.injector.cli;

import org.jspecify.annotations.NullMarked;
