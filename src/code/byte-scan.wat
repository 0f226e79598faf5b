;; Two loops over file text, sixteen bytes at a time. Most of the time of a search is spent here.
;;
;; Memory layout, for each position of a window: 0 the `or` byte, 4096 the lowest byte, 8192 how many more
;; bytes match · 65536 the text, followed by at least sixteen arbitrary bytes.
(module
  (memory (export "memory") 6)

  (func $fits (param $at i32) (param $place i32) (result i32)
    (i32.le_u
      (i32.and
        (i32.sub
          (i32.or (i32.load8_u (i32.add (local.get $at) (local.get $place))) (i32.load8_u (local.get $place)))
          (i32.load8_u offset=4096 (local.get $place)))
        (i32.const 255))
      (i32.load8_u offset=8192 (local.get $place))))

  ;; Returns the first position from `from` on where a window of `length` bytes matches and ends by `to`, or
  ;; -1. `a` and `b` are the two positions of the window that match least often.
  (func (export "find")
    (param $from i32) (param $to i32) (param $length i32) (param $a i32) (param $b i32) (result i32)
    (local $last i32) (local $found i32) (local $at i32) (local $place i32)
    (local $orA v128) (local $lowA v128) (local $moreA v128)
    (local $orB v128) (local $lowB v128) (local $moreB v128)
    (local.set $orA (v128.load8_splat (local.get $a)))
    (local.set $lowA (v128.load8_splat offset=4096 (local.get $a)))
    (local.set $moreA (v128.load8_splat offset=8192 (local.get $a)))
    (local.set $orB (v128.load8_splat (local.get $b)))
    (local.set $lowB (v128.load8_splat offset=4096 (local.get $b)))
    (local.set $moreB (v128.load8_splat offset=8192 (local.get $b)))
    (local.set $last (i32.sub (local.get $to) (local.get $length)))
    (block $none
      (loop $next
        (br_if $none (i32.gt_s (local.get $from) (local.get $last)))
        (local.set $found
          (i8x16.bitmask
            (v128.and
              (i8x16.le_u
                (i8x16.sub
                  (v128.or (v128.load (i32.add (local.get $from) (local.get $a))) (local.get $orA))
                  (local.get $lowA))
                (local.get $moreA))
              (i8x16.le_u
                (i8x16.sub
                  (v128.or (v128.load (i32.add (local.get $from) (local.get $b))) (local.get $orB))
                  (local.get $lowB))
                (local.get $moreB)))))
        (block $passed
          (loop $candidate
            (br_if $passed (i32.eqz (local.get $found)))
            (local.set $at (i32.add (local.get $from) (i32.ctz (local.get $found))))
            (br_if $none (i32.gt_s (local.get $at) (local.get $last)))
            (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
            (local.set $place (i32.const 0))
            (loop $compare
              (br_if $candidate (i32.eqz (call $fits (local.get $at) (local.get $place))))
              (local.set $place (i32.add (local.get $place) (i32.const 1)))
              (br_if $compare (i32.lt_u (local.get $place) (local.get $length))))
            (return (local.get $at))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $next)))
    (i32.const -1))

  ;; Counts newlines.
  (func (export "countLines") (param $from i32) (param $to i32) (result i32)
    (local $count i32)
    (block $done
      (loop $next
        (br_if $done (i32.gt_u (i32.add (local.get $from) (i32.const 16)) (local.get $to)))
        (local.set $count
          (i32.add
            (local.get $count)
            (i32.popcnt
              (i8x16.bitmask (i8x16.eq (v128.load (local.get $from)) (i8x16.splat (i32.const 10)))))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $next)))
    (block $end
      (loop $one
        (br_if $end (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $count
          (i32.add (local.get $count) (i32.eq (i32.load8_u (local.get $from)) (i32.const 10))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $one)))
    (local.get $count)))
